import { testTargetUrl } from '@/lib/contract/targets/target-test';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as multistream from '@/lib/domain/multistream';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(testTargetUrl, ({ ctx, body }) => multistream.testTargetUrl(ctx, body.url)),
);
