import { getAudience } from '@/lib/contract/audience/audience';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as audience from '@/lib/domain/audience';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getAudience, ({ ctx, query }) => audience.queryAudience(ctx, query)),
);
