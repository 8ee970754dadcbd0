/** The three spellings of "give me this asset" for developers, and how to make one. */
export function readAssetCurl(baseUrl: string, id: string): string {
  return [`curl ${baseUrl}/api/asset/${id}`, '  -H "Authorization: Bearer $HEADWATER_API_KEY"'].join(' \\\n');
}

export function readAssetNode(baseUrl: string, id: string): string {
  return [
    `const response = await fetch('${baseUrl}/api/asset/${id}', {`,
    '  headers: { authorization: `Bearer ${process.env.HEADWATER_API_KEY}` },',
    '});',
    'const asset = await response.json();',
    'console.log(asset.status.phase, asset.playbackUrl);',
  ].join('\n');
}

/** Asks for an address, then sends the file there: what the button does, from a terminal. */
export function uploadCurl(baseUrl: string): string {
  return [
    `URL=$(curl -s -X POST ${baseUrl}/api/asset/request-upload \\`,
    '  -H "Authorization: Bearer $HEADWATER_API_KEY" -H "Content-Type: application/json" \\',
    `  -d '{"name": "My first video"}' | jq -r .url)`,
    'curl -X PUT "$URL" -H "Content-Type: video/mp4" --data-binary @video.mp4',
  ].join('\n');
}
