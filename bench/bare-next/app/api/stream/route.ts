/** The answer that Headwater gave, as a value: it is serialised for each request, as every route has to do. */
const answer: unknown = JSON.parse(process.env.ANSWER ?? 'null');

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(answer);
}
