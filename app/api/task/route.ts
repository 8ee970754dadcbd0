import { listTasks } from '@/lib/contract/tasks/task';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as tasks from '@/lib/domain/tasks';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listTasks, ({ ctx, query }) => tasks.listTasks(ctx, query)),
);
