import { deleteLogo, requestLogoUpload } from '@/lib/contract/accounts/brand';
import * as brand from '@/lib/domain/brand';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(requestLogoUpload, ({ ctx }) => Promise.resolve(brand.requestLogoUpload(ctx))),
  route(deleteLogo, ({ ctx }) => brand.deleteLogo(ctx)),
);
