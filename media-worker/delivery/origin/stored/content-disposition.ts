import { create as contentDisposition } from 'content-disposition';

/**
 * Builds a `Content-Disposition` header with the name of an asset or session (RFC 6266).
 * @param isDownload whether browsers save the file instead of showing it
 * @param extension file extension without a dot
 */
export function dispositionOf(name: string, isDownload: boolean, extension = 'mp4'): string {
  const cleanName = name.replace(/[\p{Cc}/\\]/gu, ' ').trim() || 'video';
  const filename = cleanName.toLowerCase().endsWith(`.${extension}`)
    ? cleanName
    : `${cleanName}.${extension}`;
  return contentDisposition(filename, { type: isDownload ? 'attachment' : 'inline' });
}
