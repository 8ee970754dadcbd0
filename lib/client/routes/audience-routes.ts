import type * as audienceContract from '@/lib/contract/audience/audience';
import type { Route } from './route';

export const getAudience: Route<typeof audienceContract.getAudience> = {
  method: 'GET',
  path: '/api/data/audience',
};
