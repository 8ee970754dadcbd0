import { getTotalViews } from '@/lib/contract/accounts/total-views';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import { getTotalViews as readTotalViews } from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(getTotalViews, ({ ctx, params }) => readTotalViews(ctx, params.playbackId)),
);
