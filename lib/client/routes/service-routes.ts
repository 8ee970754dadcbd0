import type * as serviceContract from '@/lib/contract/service';
import type { Route } from './route';

export const listIngests: Route<typeof serviceContract.listIngests> = { method: 'GET', path: '/api/ingest' };
