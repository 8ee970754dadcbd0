import * as assets from '@/lib/domain/assets';
import { retryTask } from '@/lib/contract/tasks/task';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(retryTask, ({ ctx, params, body }) => assets.retryTask(ctx, params.id, body)),
);
