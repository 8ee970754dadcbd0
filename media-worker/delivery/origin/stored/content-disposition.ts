import { create as contentDisposition } from 'content-disposition';

/**
 * Builds a `Content-Disposition` header with the name of an asset or session (RFC 6266).
 * @param download whether browsers save the file instead of showing it
 * @param ending file extension without a dot
 */
export function dispositionOf(name: string, download: boolean, ending = 'mp4'): string {
  const cleanName = name.replace(/[\p{Cc}/\\]/gu, ' ').trim() || 'video';
  const filename = cleanName.toLowerCase().endsWith(`.${ending}`) ? cleanName : `${cleanName}.${ending}`;
  return contentDisposition(filename, { type: download ? 'attachment' : 'inline' });
}
