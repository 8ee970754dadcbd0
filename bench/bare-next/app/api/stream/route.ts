/** Response body of Headwater. The value is parsed once and serialized for each request, like in a real route. */
const responseBody: unknown = JSON.parse(process.env.ANSWER ?? 'null');

export const dynamic = 'force-dynamic';

export function GET(): Response {
  return Response.json(responseBody);
}
