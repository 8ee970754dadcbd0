import { getOpenApi } from '@/lib/contract/service';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getOpenApiDocument } from '@/lib/http/service-status';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getOpenApi, ({ ctx }) => getOpenApiDocument(ctx)),
);
