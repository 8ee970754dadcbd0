export { runIdempotently, expireRequests } from './run-idempotently';
export type { Answer } from './stored-answer';
