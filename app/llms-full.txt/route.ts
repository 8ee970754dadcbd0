import { readReference } from '@/app/(dashboard)/docs/read-reference';
import { referenceMarkdown } from '@/components/docs/model/operation-markdown';
import { markdownAnswer } from '@/lib/http/markdown-answer';

export const dynamic = 'force-dynamic';

/** The whole reference in one file. */
export const GET = async (): Promise<Response> => markdownAnswer(referenceMarkdown(await readReference()));
