-- CreateTable
CREATE TABLE "AcmeAccount" (
    "directoryUrl" TEXT NOT NULL,
    "keySealed" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AcmeAccount_pkey" PRIMARY KEY ("directoryUrl")
);

-- CreateTable
CREATE TABLE "AcmeCertificate" (
    "id" TEXT NOT NULL,
    "pemSealed" BYTEA,
    "expiresAt" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lastError" TEXT,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "orderId" UUID,

    CONSTRAINT "AcmeCertificate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AcmeChallenge" (
    "token" TEXT NOT NULL,
    "keyAuthorization" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AcmeChallenge_pkey" PRIMARY KEY ("token")
);

-- CreateIndex
CREATE INDEX "AcmeChallenge_createdAt_idx" ON "AcmeChallenge"("createdAt");
