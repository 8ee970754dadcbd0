-- CreateTable
CREATE TABLE "Account" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "passwordHash" TEXT NOT NULL,
    "sessionVersion" INTEGER NOT NULL DEFAULT 0,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeen" TIMESTAMPTZ(3),

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "secretSealed" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "allowedOrigins" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "fullAccess" BOOLEAN NOT NULL DEFAULT false,
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKeyUsage" (
    "keyId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "calls" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ApiKeyUsage_pkey" PRIMARY KEY ("keyId","day")
);

-- CreateTable
CREATE TABLE "Stream" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "parentId" UUID,
    "name" TEXT NOT NULL,
    "playbackId" TEXT NOT NULL,
    "streamKeyHash" BYTEA,
    "streamKeySealed" BYTEA,
    "profiles" JSONB NOT NULL DEFAULT '[]',
    "record" BOOLEAN NOT NULL DEFAULT false,
    "suspended" BOOLEAN NOT NULL DEFAULT false,
    "isActive" BOOLEAN NOT NULL DEFAULT false,
    "lastSeen" TIMESTAMPTZ(3),
    "sourceSegments" INTEGER NOT NULL DEFAULT 0,
    "transcodedSegments" INTEGER NOT NULL DEFAULT 0,
    "sourceSegmentsDuration" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "transcodedSegmentsDuration" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "sourceBytes" BIGINT NOT NULL DEFAULT 0,
    "transcodedBytes" BIGINT NOT NULL DEFAULT 0,
    "isHealthy" BOOLEAN,
    "issues" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "createdByKeyName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),
    "eventSequence" INTEGER NOT NULL DEFAULT 0,
    "runs" INTEGER NOT NULL DEFAULT 0,
    "liveNodeId" UUID,
    "testPatternUntil" TIMESTAMPTZ(3),
    "lastTerminatedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Stream_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "parentId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "playbackId" TEXT NOT NULL,
    "profiles" JSONB NOT NULL DEFAULT '[]',
    "record" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'live',
    "sourceSegments" INTEGER NOT NULL DEFAULT 0,
    "transcodedSegments" INTEGER NOT NULL DEFAULT 0,
    "sourceSegmentsDuration" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "transcodedSegmentsDuration" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "sourceBytes" BIGINT NOT NULL DEFAULT 0,
    "transcodedBytes" BIGINT NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeen" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Event" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "streamId" UUID,
    "name" TEXT NOT NULL,
    "sequence" INTEGER,
    "payload" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "fannedOutAt" TIMESTAMPTZ(3),

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Node" (
    "id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL,
    "userId" UUID,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "objectId" TEXT,
    "ip" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_email_key" ON "Account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_secretHash_key" ON "ApiKey"("secretHash");

-- CreateIndex
CREATE INDEX "ApiKey_userId_createdAt_idx" ON "ApiKey"("userId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Stream_playbackId_key" ON "Stream"("playbackId");

-- CreateIndex
CREATE UNIQUE INDEX "Stream_streamKeyHash_key" ON "Stream"("streamKeyHash");

-- CreateIndex
CREATE INDEX "Stream_userId_lastSeen_createdAt_id_idx" ON "Stream"("userId", "lastSeen" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Stream_userId_createdAt_id_idx" ON "Stream"("userId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Stream_liveNodeId_idx" ON "Stream"("liveNodeId");

-- CreateIndex
CREATE INDEX "Session_userId_lastSeen_createdAt_id_idx" ON "Session"("userId", "lastSeen" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Session_parentId_lastSeen_createdAt_id_idx" ON "Session"("parentId", "lastSeen" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Session_state_lastSeen_idx" ON "Session"("state", "lastSeen");

-- CreateIndex
CREATE INDEX "Event_userId_createdAt_idx" ON "Event"("userId", "createdAt");

-- CreateIndex
CREATE INDEX "Event_streamId_sequence_idx" ON "Event"("streamId", "sequence");

-- CreateIndex
CREATE INDEX "Node_role_seenAt_idx" ON "Node"("role", "seenAt");

-- CreateIndex
CREATE INDEX "AuditEntry_userId_createdAt_idx" ON "AuditEntry"("userId", "createdAt" DESC);

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKeyUsage" ADD CONSTRAINT "ApiKeyUsage_keyId_fkey" FOREIGN KEY ("keyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Stream" ADD CONSTRAINT "Stream_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Stream" ADD CONSTRAINT "Stream_liveNodeId_fkey" FOREIGN KEY ("liveNodeId") REFERENCES "Node"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Event" ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Event" ADD CONSTRAINT "Event_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;
