import { dismissProblem } from '@/lib/contract/accounts/overview';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as overview from '@/lib/domain/overview';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(dismissProblem, ({ ctx, body }) => overview.dismissProblem(ctx, body)),
);
