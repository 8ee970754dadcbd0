import { readReference } from '@/app/(dashboard)/docs/read-reference';
import { referenceIndex } from '@/components/docs/model/operation-markdown';
import { createMarkdownResponse } from '@/lib/http/markdown-response';

export const dynamic = 'force-dynamic';

/** Summary of the service and its reference for language models (llmstxt.org). */
export const GET = async (): Promise<Response> =>
  createMarkdownResponse(referenceIndex(await readReference()));
