import { listViewers } from '@/lib/contract/streams/viewers';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(listViewers, ({ ctx }) => streams.listViewers(ctx)),
);
