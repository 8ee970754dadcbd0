import { removeAccount, updateAccount } from '@/lib/contract/accounts/admin';
import * as accounts from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(updateAccount, ({ ctx, params, body }) => accounts.setSuspended(ctx, params.id, body.suspended)),
  route(removeAccount, ({ ctx, params }) => accounts.removeAccount(ctx, params.id)),
);
