export { getOverview } from './get-overview';
