import type { IncomingHttpHeaders } from 'node:http';
import { queryOf, queryValue, pathOf } from '@/media-worker/kit/http/request-url';
import {
  isPart,
  parseHlsPath,
  parsePlaylistQuery,
  formatPlaylistQuery,
} from '@/media-worker/kit/http/hls-request';
import { isFieldIssue } from '@/lib/core/errors';
import { formatPictureQuery, readPictureRequest } from '@/lib/core/media/picture-request';
import { startedPlaybackId } from '@/lib/core/assets/asset-view';
import { splitPathToken } from '@/lib/core/access/playback-policy';
import { acceptsGzip } from '@/media-worker/delivery/origin/stored/serve-bytes';
import { readPreviewToken, readViewerToken } from '@/media-worker/delivery/origin/live/watch-playlists';

/** The viewer of a media playlist, with its token if it has one, or the viewer that starts an asset. */
export interface WatchingViewer {
  readonly playbackId: string;
  readonly token: string | null;
  readonly isAsset?: true;
}

/** A request as an edge handles it: equal requests have equal targets. */
export type EdgeRequest =
  /** A master playlist with a viewer token: fetched for each viewer. Errors are shared. */
  | { readonly kind: 'master'; readonly target: string; readonly sharedTarget: string }
  /** An answer that is fetched as a whole, once for all viewers. */
  | {
      readonly kind: 'whole';
      readonly target: string;
      readonly gzip: boolean;
      /** The stream for which the origin may block the request; null: it never blocks. */
      readonly heldFor: string | null;
      readonly viewer: WatchingViewer | null;
    }
  /** A file that may be large: fetched in slices. */
  | {
      readonly kind: 'file';
      readonly target: string;
      readonly accept: string | null;
      readonly viewer: WatchingViewer | null;
    }
  /** A request with a token or another proof: the origin decides, and nothing is cached. */
  | {
      readonly kind: 'restricted';
      readonly target: string;
      readonly heldFor: string | null;
      readonly viewer: WatchingViewer | null;
    }
  /** `nothing`: no content can have this URL. `bad directive`: a low-latency parameter is invalid. */
  | { readonly kind: 'nothing' | 'bad directive' };

const MAX_URL_LENGTH = 2_048;
const MAX_ACCEPT_LENGTH = 200;
const filePath = /^\/(?:asset|recordings|brand|slate|poster|ipfs)\/[\w./-]+$/;
/** Files that are fetched as a whole. */
const smallFile = /\.(?:m3u8|vtt|jpg|png|webp)$/;
const compressibleFile = /\.(?:m3u8|vtt)$/;
/** Query parameters that change the answer with IPFS content. */
const ipfsParameters = ['format', 'filename', 'download'];

/**
 * Parses a request of a viewer.
 * @param url target of a GET or HEAD request
 */
export function parseEdgeRequest(url: string, headers: IncomingHttpHeaders): EdgeRequest {
  const path = pathOf(url);
  if (url.length > MAX_URL_LENGTH || path.includes('..')) return { kind: 'nothing' };
  const restrictedRequest = parseRestrictedRequest(path, url, headers);
  if (restrictedRequest) return restrictedRequest;
  if (path.startsWith('/hls/')) return parseHlsRequest(path, url, headers);
  if (!filePath.test(path)) return { kind: 'nothing' };
  if (path.startsWith('/ipfs/')) {
    const query = queryOf(url);
    const ipfsQuery = ipfsParameters.flatMap((name) => query.getAll(name).map((value) => [name, value]));
    const queryText = new URLSearchParams(ipfsQuery).toString();
    return {
      kind: 'file',
      target: queryText === '' ? path : `${path}?${queryText}`,
      accept: (headers.accept ?? '').slice(0, MAX_ACCEPT_LENGTH),
      viewer: null,
    };
  }
  if (path.startsWith('/asset/') && path.endsWith('/thumbnail.jpg')) {
    const picture = readPictureRequest(queryOf(url));
    // The origin answers with the error, which is not cached.
    return isFieldIssue(picture)
      ? { kind: 'restricted', target: url, heldFor: null, viewer: null }
      : { ...wholeFile, target: path + formatPictureQuery(picture) };
  }
  const viewer = findAssetViewer(path, url, headers);
  if (smallFile.test(path)) return { ...wholeFile, target: path, gzip: mayCompress(path, headers), viewer };
  return { kind: 'file', target: path + downloadQueryOf(url), accept: null, viewer };
}

/** The query that asks the origin for a download; all values of `download` other than `audio` are equal. */
function downloadQueryOf(url: string): string {
  const downloadValue = queryValue(url, 'download');
  if (downloadValue === null) return '';
  return downloadValue === 'audio' ? '?download=audio' : '?download';
}

/** Parameters with which viewers prove access: their answers must never reach other viewers. */
const proofParameters = ['jwt', 'token', 'accessKey'];
/** Request headers with which viewers prove access. */
export const proofHeaders = ['livepeer-jwt', 'livepeer-access-key'] as const;

/** Parses a request with a token in its path or another proof of access; null without one. */
function parseRestrictedRequest(path: string, url: string, headers: IncomingHttpHeaders): EdgeRequest | null {
  const [, folder = '', tail = ''] = /^(\/(?:hls|asset|recordings))(\/.*)$/.exec(path) ?? [];
  const split = folder === '' ? null : splitPathToken(tail);
  if (!split) return null;
  const query = queryOf(url);
  const hasProof =
    proofParameters.some((name) => query.has(name)) || proofHeaders.some((name) => headers[name]);
  if (split.token === null && !hasProof) return null;
  if (folder !== '/hls') {
    const pathWithoutToken = folder + split.pathWithoutToken;
    return filePath.test(pathWithoutToken)
      ? {
          kind: 'restricted',
          target: url,
          heldFor: null,
          viewer: findAssetViewer(pathWithoutToken, url, headers),
        }
      : { kind: 'nothing' };
  }
  const hls = parseHlsPath(split.pathWithoutToken);
  if (!hls) return { kind: 'nothing' };
  const directives = hls.kind === 'playlist' ? parsePlaylistQuery(url) : null;
  if (hls.kind === 'playlist' && !directives) return { kind: 'bad directive' };
  const isBlocking = isPart(hls.file) || (directives !== null && directives.msn !== null);
  const { playbackId, rendition, kind } = hls;
  const viewer = kind === 'playlist' && rendition !== null ? findPlaylistViewer(playbackId, url) : null;
  return { kind: 'restricted', target: url, heldFor: isBlocking ? playbackId : null, viewer };
}

/** The viewer of a media playlist; null for a preview, because the owner is not counted. */
const findPlaylistViewer = (playbackId: string, url: string): WatchingViewer | null =>
  readPreviewToken(url) === null ? { playbackId, token: readViewerToken(url) } : null;

/**
 * The viewer that starts an asset; null if the request starts none, or is a preview.
 * @param path path without a token
 */
function findAssetViewer(path: string, url: string, { range }: IncomingHttpHeaders): WatchingViewer | null {
  if (!path.startsWith('/asset/') || readPreviewToken(url) !== null) return null;
  const isDownload = queryValue(url, 'download') !== null;
  const playbackId = startedPlaybackId({
    path: path.slice('/asset'.length),
    isDownload,
    rangeHeader: range,
  });
  return playbackId === null ? null : { playbackId, token: null, isAsset: true };
}

const wholeFile = { kind: 'whole', gzip: false, heldFor: null, viewer: null } as const;

function parseHlsRequest(path: string, url: string, headers: IncomingHttpHeaders): EdgeRequest {
  const hls = parseHlsPath(path.slice('/hls'.length));
  if (!hls) return { kind: 'nothing' };
  const { playbackId, rendition, kind, file } = hls;
  if (kind !== 'playlist') {
    return { ...wholeFile, target: path, heldFor: isPart(file) ? playbackId : null };
  }
  const query = parsePlaylistQuery(url);
  if (!query) return { kind: 'bad directive' };
  const queryText = formatPlaylistQuery(query);
  const gzip = mayCompress(path, headers);
  const heldFor = query.msn === null ? null : playbackId;
  if (rendition !== null) {
    return {
      ...wholeFile,
      target: path + queryText,
      gzip,
      heldFor,
      viewer: findPlaylistViewer(playbackId, url),
    };
  }
  const probe = queryValue(url, 'probe') === null ? '' : 'probe';
  const sharedTarget = path + queryText + (probe && (queryText === '' ? '?' : '&') + probe);
  if (!query.lowLatency) return { ...wholeFile, target: sharedTarget, gzip, heldFor };
  const preview = readPreviewToken(url);
  const previewQuery = preview === null ? '' : `${sharedTarget.includes('?') ? '&' : '?'}preview=${preview}`;
  return { kind: 'master', target: sharedTarget + previewQuery, sharedTarget };
}

function mayCompress(path: string, headers: IncomingHttpHeaders): boolean {
  return compressibleFile.test(path) && acceptsGzip(headers['accept-encoding']);
}
