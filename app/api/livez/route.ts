import { getLiveness } from '@/lib/contract/service';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getLiveness, () => Promise.resolve({ ok: true } as const)),
);
