import { SingleFlight } from '@/lib/core/single-flight';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type CachePolicy from 'http-cache-semantics';
import { LRUCache } from 'lru-cache';
import type { SliceCache, SlicedFile } from '@/lib/infra/cache/slice-cache';
import type { Answer } from '@/media-worker/kit/http/answer';
import { pathOf } from '@/media-worker/kit/http/request-url';
import { parseByteRange, serveBytes } from '@/media-worker/delivery/origin/stored/serve-bytes';
import { UpstreamError } from '@/media-worker/delivery/origin/live/upstream-error';
import {
  commonHeadersOf,
  answerWith,
  cachePolicyOf,
  representationHeadersOf,
  isUsable,
  type CachedAnswer,
} from './cached-answer';
import { readLimitedBody, proxyRequest, pickHeaders } from './proxy-request';
import type { Upstream } from './upstream';

interface FileRequest {
  readonly target: string;
  /** The `Accept` header, which selects the representation; null if there is only one. */
  readonly accept: string | null;
  readonly method: 'GET' | 'HEAD';
  readonly headers: IncomingHttpHeaders;
  /** `Via` header of requests to the upstream. */
  readonly via: string;
}

/** Length and version of a file whose ranges can be fetched. */
interface KnownFile {
  readonly bytes: number;
  readonly etag: string;
  readonly headers: IncomingHttpHeaders;
  readonly policy: CachePolicy;
}

/**
 * What the edge learns about a file: its length and version, or an answer other than the file. `unsliced`: the file has no
 * ranges or no strong validator, so slices of it could be mixed.
 */
type Discovery = { readonly file: KnownFile } | { readonly answer: CachedAnswer } | 'unsliced';

/** Maximum number of files whose length and version are remembered. */
const MAX_FILES = 50_000;
const contentRange = /^bytes (?:\d+-\d+|\*)\/(\d+)$/;

/** Files of any size: ranges come from slices on the disk, and a missing slice is fetched once. */
export class SlicedFiles {
  readonly #upstream: Pick<Upstream, 'open'>;
  readonly #slices: SliceCache | null;
  readonly #cachedDiscoveries = new LRUCache<string, Exclude<Discovery, 'unsliced'>>({ max: MAX_FILES });
  readonly #discoveries = new SingleFlight<Discovery>();

  /** @param slices null: nothing is cached, and each request is forwarded */
  constructor(upstream: Pick<Upstream, 'open'>, slices: SliceCache | null) {
    this.#upstream = upstream;
    this.#slices = slices;
  }

  /**
   * Answers a request for a file or a range of it.
   * @throws UpstreamError if the upstream fails and no cached length and version may be used
   */
  async answer(request: FileRequest): Promise<Answer> {
    const slices = this.#slices;
    if (!slices) return this.#forward(request);
    const discovery = await this.#discover(request, slices);
    if (discovery === 'unsliced') return this.#forward(request);
    if ('answer' in discovery) return answerWith(discovery.answer, request.headers);
    const { file } = discovery;
    const slicedFile = this.#slicedFile(request, file);
    return serveBytes(
      {
        bytes: file.bytes,
        etag: file.etag,
        headers: { ...commonHeadersOf(file.headers), Age: Math.floor(file.policy.age()) },
        contentHeaders: representationHeadersOf(file.headers),
        from: (range) => Promise.resolve(slices.read(slicedFile, range ?? { start: 0, end: file.bytes - 1 })),
      },
      request.headers,
    );
  }

  async #discover(request: FileRequest, slices: SliceCache): Promise<Discovery> {
    const key = keyOf(request);
    const cachedDiscovery = this.#cachedDiscoveries.get(key);
    if (cachedDiscovery && !policyOf(cachedDiscovery).stale()) return cachedDiscovery;
    try {
      const discovery = await this.#discoveries.run(key, () => this.#startDiscovery(key, request, slices));
      const hasFailed = discovery !== 'unsliced' && 'answer' in discovery && discovery.answer.status >= 500;
      return hasFailed ? (this.#findStale(key) ?? discovery) : discovery;
    } catch (error) {
      const staleDiscovery = this.#findStale(key);
      if (staleDiscovery) return staleDiscovery;
      throw error;
    }
  }

  #findStale(key: string): Exclude<Discovery, 'unsliced'> | null {
    const cachedDiscovery = this.#cachedDiscoveries.get(key);
    return cachedDiscovery && isUsable(policyOf(cachedDiscovery), statusOf(cachedDiscovery))
      ? cachedDiscovery
      : null;
  }

  async #startDiscovery(key: string, request: FileRequest, slices: SliceCache): Promise<Discovery> {
    const cachedDiscovery = this.#cachedDiscoveries.get(key);
    const previousFile = cachedDiscovery && 'file' in cachedDiscovery ? cachedDiscovery.file : null;
    const range = parseByteRange(request.headers.range, previousFile?.bytes ?? Number.MAX_SAFE_INTEGER);
    // The start of a suffix range is unknown before the length of the file.
    const isSuffixRange = request.headers.range?.startsWith('bytes=-') ?? false;
    const start = typeof range === 'string' || isSuffixRange ? 0 : range.start;
    const discovery = await this.#requestSlice(request, { previousFile, start, slices });
    if (discovery !== 'unsliced' && isWorthCaching(discovery)) this.#cachedDiscoveries.set(key, discovery);
    return discovery;
  }

  /** Requests the slice that contains `start`; the response headers show the length and version of the file. */
  async #requestSlice(
    request: FileRequest,
    {
      previousFile,
      start,
      slices,
    }: { readonly previousFile: KnownFile | null; readonly start: number; readonly slices: SliceCache },
  ): Promise<Discovery> {
    const slice = slices.sliceAt(start);
    const response = await this.#upstream.open(request.target, {
      headers: {
        ...upstreamHeadersFor(request),
        Range: `bytes=${slice.start}-${slice.end}`,
        ...(previousFile ? { 'If-None-Match': previousFile.etag } : {}),
      },
    });
    const { status, headers, body } = response;
    if (status === 304 && previousFile) {
      body.resume();
      const { policy } = previousFile.policy.revalidatedPolicy(
        { url: request.target, method: 'GET', headers: {} },
        { status, headers },
      );
      return { file: { ...previousFile, policy } };
    }
    if (status === 200 || status === 416) {
      body.destroy();
      // The file is shorter than `start`; its first slice shows the length.
      return status === 416 && start > 0
        ? this.#requestSlice(request, { previousFile: null, start: 0, slices })
        : 'unsliced';
    }
    if (status !== 206) {
      const wholeBody = await readLimitedBody(response);
      return {
        answer: { status, headers, body: wholeBody, policy: cachePolicyOf(request.target, status, headers) },
      };
    }
    const { etag, 'content-range': rangeHeader = '' } = headers;
    const bytes = Number(contentRange.exec(rangeHeader)?.[1] ?? NaN);
    if (etag === undefined || etag.startsWith('W/') || !Number.isSafeInteger(bytes)) {
      body.destroy();
      return 'unsliced';
    }
    // The range may be cached for as long as an answer with the whole file.
    const policy = cachePolicyOf(request.target, 200, headers);
    const file = { bytes, etag, headers, policy };
    let isUsed = false;
    const openBody = () => {
      isUsed = true;
      return Promise.resolve<Readable>(body);
    };
    const slicedFile = this.#slicedFile(request, file);
    // If the slice is already stored, the body is not read, and would block its connection.
    const release = () => void (isUsed || body.destroy());
    slices.storeSlice(slicedFile, slice.start, openBody).then(release, release);
    return { file };
  }

  #slicedFile(request: FileRequest, { bytes, etag }: KnownFile): SlicedFile {
    return {
      name: `${pathOf(request.target)} ${etag}`,
      bytes,
      read: async ({ start, end }) => {
        const { status, headers, body } = await this.#upstream.open(request.target, {
          headers: { ...upstreamHeadersFor(request), Range: `bytes=${start}-${end}`, 'If-Range': etag },
        });
        if (status === 206 && headers.etag === etag) return body;
        body.destroy();
        // The file has changed: the next request learns the new version.
        this.#cachedDiscoveries.delete(keyOf(request));
        throw new UpstreamError('unreachable');
      },
    };
  }

  /** Forwards a request that cannot be cached. */
  async #forward(request: FileRequest): Promise<Answer> {
    const { headers, method, target } = request;
    // The response for a file that does not exist yet depends on the player.
    const upstreamHeaders = { ...upstreamHeadersFor(request), ...pickHeaders(headers, ['user-agent']) };
    return proxyRequest(this.#upstream, { target, method, upstreamHeaders, headers });
  }
}

const upstreamHeadersFor = ({ accept, via }: FileRequest) => ({
  Via: via,
  'Accept-Encoding': 'identity',
  ...(accept === null ? {} : { Accept: accept }),
});

const keyOf = ({ target, accept }: FileRequest): string => (accept === null ? target : `${target} ${accept}`);
const policyOf = (discovery: Exclude<Discovery, 'unsliced'>): CachePolicy =>
  'file' in discovery ? discovery.file.policy : discovery.answer.policy;
const statusOf = (discovery: Exclude<Discovery, 'unsliced'>): number =>
  'file' in discovery ? 200 : discovery.answer.status;

/** Whether to cache what was learned; a file can also be revalidated later. */
const isWorthCaching = (discovery: Exclude<Discovery, 'unsliced'>): boolean =>
  'file' in discovery
    ? discovery.file.policy.storable()
    : isUsable(discovery.answer.policy, discovery.answer.status);
