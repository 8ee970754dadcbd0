import { studioRoutes } from '@/lib/http/studio-dialect';
import { mounted } from '../mounted';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = studioRoutes(mounted);
