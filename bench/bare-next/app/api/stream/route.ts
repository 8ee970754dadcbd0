import { readFileSync } from 'node:fs';

/** The answer that Headwater gave, as a value: it is serialised for each request, as every route has to do. */
const answer: unknown = JSON.parse(readFileSync(process.env.ANSWER_FILE ?? '', 'utf8'));

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(answer);
}
