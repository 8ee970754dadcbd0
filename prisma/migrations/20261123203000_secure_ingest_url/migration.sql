-- Where encoders publish to a live node over TLS.
ALTER TABLE "Node" ADD COLUMN "secureIngestUrl" TEXT;
