import { deleteSlatePicture, requestSlatePictureUpload } from '@/lib/contract/streams/slate-picture';
import { route } from '@/lib/http/route';
import { routes } from '@/lib/http/routes';
import * as streams from '@/lib/domain/streams';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  route(requestSlatePictureUpload, ({ ctx, params }) => streams.requestSlateUpload(ctx, params.id)),
  route(deleteSlatePicture, ({ ctx, params }) => streams.deleteSlatePicture(ctx, params.id)),
);
