export { dismissProblem } from './dismiss-problem';
export { getOverview } from './get-overview';
