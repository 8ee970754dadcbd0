import { getServiceStorage } from '@/lib/contract/accounts/admin';
import * as metering from '@/lib/domain/metering';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getServiceStorage, ({ ctx }) => metering.readServiceStorage(ctx)),
);
