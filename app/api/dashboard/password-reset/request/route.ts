import { requestPasswordReset } from '@/lib/contract/accounts/account-links';
import * as accounts from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getServices } from '@/lib/http/services';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(requestPasswordReset, ({ ctx, body }) =>
    accounts.requestPasswordReset(ctx, body.email, getServices().mailer),
  ),
);
