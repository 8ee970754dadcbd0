/** What the query of a playlist's address asks for. */
export interface PlaylistQuery {
  /** With parts; `?ll=0` asks for the same without, as caches and old players like it. */
  readonly lowLatency: boolean;
  /** Wait until the playlist has this segment … (rfc8216bis §6.2.5.2) */
  readonly msn: number | null;
  /** … or this part of it. */
  readonly part: number | null;
  /** Leave out what the player knows from before (rfc8216bis §6.2.5.1). */
  readonly skip: boolean;
}

const wholeNumber = /^\d{1,15}$/;

/** Other parameters are not ours and change nothing. Null when a directive makes no sense (400). */
export function parsePlaylistQuery(target: string | undefined): PlaylistQuery | null {
  const start = target?.indexOf('?') ?? -1;
  const query = new URLSearchParams(start < 0 ? '' : target?.slice(start));
  const [msn, part] = [query.get('_HLS_msn'), query.get('_HLS_part')];
  if ([msn, part].some((value) => value !== null && !wholeNumber.test(value))) return null;
  if (msn === null && part !== null) return null;
  const lowLatency = query.get('ll') !== '0';
  return {
    lowLatency,
    msn: msn === null ? null : Number(msn),
    part: part === null ? null : Number(part),
    // `v2` may leave out more, but need not.
    skip: lowLatency && ['YES', 'v2'].includes(query.get('_HLS_skip') ?? ''),
  };
}

/** The query in the one spelling that equal requests share: nothing, or beginning with `?`. */
export function playlistQueryText({ lowLatency, msn, part, skip }: PlaylistQuery): string {
  const terms = [
    ...(lowLatency ? [] : ['ll=0']),
    ...(msn === null ? [] : [`_HLS_msn=${msn}`]),
    ...(part === null ? [] : [`_HLS_part=${part}`]),
    ...(skip ? ['_HLS_skip=YES'] : []),
  ];
  return terms.length > 0 ? `?${terms.join('&')}` : '';
}
