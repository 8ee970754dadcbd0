import { readReference } from '@/app/(dashboard)/docs/read-reference';
import { referenceMarkdown } from '@/components/docs/model/operation-markdown';
import { createMarkdownResponse } from '@/lib/http/markdown-response';

export const dynamic = 'force-dynamic';

/** The whole reference in one file. */
export const GET = async (): Promise<Response> =>
  createMarkdownResponse(referenceMarkdown(await readReference()));
