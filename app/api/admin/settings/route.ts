import { listSettings } from '@/lib/contract/accounts/admin';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { settingsInForce } from '@/lib/infra/settings-in-force';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listSettings, ({ ctx }) => Promise.resolve(settingsInForce(ctx.settings))),
);
