/**
 * Code that signs a playback token on a server; scripts/token-snippets.socket.test.ts runs each snippet. The claims: `sub` is
 * the playback id, `pub` names the signing key, and `action: pull` permits playback.
 */
export const tokenSnippets = [
  {
    value: 'node',
    label: 'Node',
    code: `import { createPrivateKey, sign } from 'node:crypto';

const { HEADWATER_PRIVATE_KEY, HEADWATER_PUBLIC_KEY } = process.env;
const key = createPrivateKey(Buffer.from(HEADWATER_PRIVATE_KEY, 'base64'));
const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function playbackToken(playbackId, seconds = 3600) {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    action: 'pull',
    iss: 'my-site',
    pub: HEADWATER_PUBLIC_KEY,
    sub: playbackId,
    video: 'none',
    iat: now,
    exp: now + seconds,
  };
  const text = \`\${encode({ alg: 'ES256', typ: 'JWT' })}.\${encode(claims)}\`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return \`\${text}.\${signature.toString('base64url')}\`;
}`,
  },
  {
    value: 'python',
    label: 'Python',
    code: `import base64, os, time
import jwt  # pip install "pyjwt[crypto]"

private_key = base64.b64decode(os.environ["HEADWATER_PRIVATE_KEY"])

def playback_token(playback_id, seconds=3600):
    now = int(time.time())
    claims = {
        "action": "pull",
        "iss": "my-site",
        "pub": os.environ["HEADWATER_PUBLIC_KEY"],
        "sub": playback_id,
        "video": "none",
        "iat": now,
        "exp": now + seconds,
    }
    return jwt.encode(claims, private_key, algorithm="ES256")`,
  },
  {
    value: 'go',
    label: 'Go',
    code: `package playback

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"time"
)

func PlaybackToken(playbackID string, lifetime time.Duration) (string, error) {
	text, err := base64.StdEncoding.DecodeString(os.Getenv("HEADWATER_PRIVATE_KEY"))
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return "", errors.New("HEADWATER_PRIVATE_KEY is not a PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	now := time.Now()
	claims, err := json.Marshal(map[string]any{
		"action": "pull",
		"iss":    "my-site",
		"pub":    os.Getenv("HEADWATER_PUBLIC_KEY"),
		"sub":    playbackID,
		"video":  "none",
		"iat":    now.Unix(),
		"exp":    now.Add(lifetime).Unix(),
	})
	if err != nil {
		return "", err
	}
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(\`{"alg":"ES256","typ":"JWT"}\`)) + "." + encode(claims)
	hash := sha256.Sum256([]byte(token))
	r, s, err := ecdsa.Sign(rand.Reader, parsed.(*ecdsa.PrivateKey), hash[:])
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return token + "." + encode(signature), nil
}`,
  },
  {
    value: 'php',
    label: 'PHP',
    code: `<?php
function playback_token(string $playbackId, int $seconds = 3600): string
{
    $encode = fn (string $text) => rtrim(strtr(base64_encode($text), '+/', '-_'), '=');
    $now = time();
    $claims = [
        'action' => 'pull',
        'iss' => 'my-site',
        'pub' => getenv('HEADWATER_PUBLIC_KEY'),
        'sub' => $playbackId,
        'video' => 'none',
        'iat' => $now,
        'exp' => $now + $seconds,
    ];
    $text = $encode('{"alg":"ES256","typ":"JWT"}') . '.' . $encode(json_encode($claims));
    $key = base64_decode(getenv('HEADWATER_PRIVATE_KEY'));
    openssl_sign($text, $der, $key, OPENSSL_ALGO_SHA256);
    // OpenSSL writes r and s as DER. A JWT contains 32 bytes of each.
    $length = ord($der[3]);
    $signature = '';
    foreach ([substr($der, 4, $length), substr($der, 6 + $length)] as $number) {
        $signature .= str_pad(ltrim($number, "\\0"), 32, "\\0", STR_PAD_LEFT);
    }
    return "$text." . $encode($signature);
}`,
  },
] as const;
