export { answerOnce, forgetOldRequests } from './answer-once';
export type { Answer } from './kept-answer';
