export { answerOnce } from './answer-once';
export { forgetOldRequests } from './forget-old-requests';
export type { Answer } from './kept-answer';
