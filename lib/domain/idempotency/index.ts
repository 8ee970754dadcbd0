export { runIdempotently, forgetOldRequests } from './run-idempotently';
export type { Answer } from './stored-answer';
