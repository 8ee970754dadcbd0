import { getBrand, updateBrand } from '@/lib/contract/accounts/brand';
import * as brand from '@/lib/domain/brand';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getBrand, ({ ctx }) => brand.getBrand(ctx)),
  route(updateBrand, ({ ctx, body }) => brand.updateBrand(ctx, body)),
);
