import { getMe } from '@/lib/contract/accounts/account';
import { getAccount } from '@/lib/domain/accounts';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getMe, ({ ctx }) => getAccount(ctx)),
);
