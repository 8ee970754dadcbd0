-- CreateTable
CREATE TABLE "DismissedProblem" (
    "teamId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "objectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "DismissedProblem_pkey" PRIMARY KEY ("teamId","kind","objectId","name")
);

-- AddForeignKey
ALTER TABLE "DismissedProblem" ADD CONSTRAINT "DismissedProblem_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "Team"("id") ON DELETE CASCADE ON UPDATE CASCADE;
