/** Headwater's response body. It is parsed once and serialized for each request, as in a real route. */
const answer: unknown = JSON.parse(process.env.ANSWER ?? 'null');

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(answer);
}
