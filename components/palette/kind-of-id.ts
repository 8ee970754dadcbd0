const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const playback = /^[a-z0-9]{16}$/;
const idInside =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\/(?:hls|asset|watch|embed)\/)[a-z0-9]{16}/i;

/** A pasted identifier of an object or a playback, alone or in one of our URLs. */
export type PastedId = { readonly kind: 'object' | 'playback'; readonly id: string };

/** @returns null for everything that is no identifier */
export function pastedId(text: string): PastedId | null {
  const given = text.trim();
  const id = (idInside.exec(given)?.[0] ?? given).toLowerCase();
  if (uuid.test(id)) return { kind: 'object', id };
  return playback.test(id) ? { kind: 'playback', id } : null;
}
