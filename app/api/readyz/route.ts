import { getReadiness } from '@/lib/contract/service';
import { checkReadiness } from '@/lib/http/service-status';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getReadiness, ({ ctx }) => checkReadiness(ctx)),
);
