import { getHealth } from '@/lib/contract/service';
import { checkHealth } from '@/lib/http/service-status';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getHealth, ({ ctx }) => checkHealth(ctx)),
);
