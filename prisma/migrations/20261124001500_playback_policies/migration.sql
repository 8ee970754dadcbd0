-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "playbackPasswordHash" TEXT,
ADD COLUMN     "playbackPolicyVersion" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "playbackPasswordHash" TEXT,
ADD COLUMN     "playbackPolicy" JSONB,
ADD COLUMN     "playbackPolicyVersion" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "Asset" ADD COLUMN     "playbackPasswordHash" TEXT,
ADD COLUMN     "playbackPolicyVersion" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "publicKey" TEXT NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RevokedPlayback" (
    "playbackId" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "teamId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RevokedPlayback_pkey" PRIMARY KEY ("playbackId","digest")
);

-- CreateIndex
CREATE INDEX "SigningKey_teamId_createdAt_id_idx" ON "SigningKey"("teamId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "RevokedPlayback_createdAt_idx" ON "RevokedPlayback"("createdAt");

-- AddForeignKey
ALTER TABLE "SigningKey" ADD CONSTRAINT "SigningKey_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
