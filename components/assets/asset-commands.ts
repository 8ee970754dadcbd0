/** Commands that request an upload URL and send the file there, like the upload button. */
export function uploadCurl(baseUrl: string): string {
  return [
    `URL=$(curl -s -X POST ${baseUrl}/api/asset/request-upload \\`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"name": "My first video"}' | jq -r .url)`,
    'curl -X PUT "$URL" -H "Content-Type: video/mp4" --data-binary @video.mp4',
  ].join('\n');
}
