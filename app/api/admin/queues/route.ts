import { listQueues } from '@/lib/contract/accounts/admin';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getServices } from '@/lib/http/services';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listQueues, () => getServices().queues.counts()),
);
