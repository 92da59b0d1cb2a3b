#!/bin/sh
# Experiments on clusters that are really there, of Debian's packages: GNU parallel, Slurm with one of four slices pre-empted, and a PostgreSQL queue with
# two of four workers killed. Reports and tables are those of one process, to the byte. As root, in a machine or container of its own: it installs packages,
# writes Slurm's configuration and starts daemons, which it ends. Some five minutes.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
PATH="$(ls -d "$root"/node_modules/node-*/bin):$PATH"
export PATH
work=$(mktemp -d)
program="node --import $root/sim-engine/compile-cache.mjs $root/sim-engine/cli.ts"
holarchy() { $program "$@"; }
fail() {
  echo "FAILED: $*; what was made is in $work" >&2
  exit 1
}
# Waits for at most so many seconds until a command succeeds.
await() {
  seconds=$1
  shift
  until "$@"; do
    seconds=$((seconds - 1))
    [ "$seconds" -gt 0 ] || fail "waited in vain for: $*"
    sleep 1
  done
}
# same NAME WANTED GIVEN: of two folders.
same() {
  cmp "$2/report.json" "$3/report.json" && cmp "$2/runs.csv" "$3/runs.csv" || fail "$1 differs from one process"
  echo "$1: equal to one process, to the byte"
}
# study NAME CHANGES...: a sample with longer runs, a tenth of a second each.
study() {
  name=$1
  shift
  sed -e "s#\.\./clinic.holo#$root/model-schema/samples/clinic.holo#" -e 's/"ticks": [0-9]*/"ticks": 100000/' "$@" \
    "$root/model-schema/samples/experiments/clinic-$name.holo" > "$work/$name.holo"
}
# alone NAME: in one process, into the folder of that name.
alone() {
  mkdir "$work/$1"
  holarchy experiment "$work/$1.holo" --json --csv "$work/$1/runs.csv" > "$work/$1/report.json" 2> "$work/$1/log"
}
lines() { cat "$1" 2> /dev/null | wc -l; }

apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends slurm-wlm munge parallel postgresql

# 600 runs: each slice has 150, and takes long enough to be pre-empted.
study staffing -e 's/"replications": 20/"replications": 200/'
staffing=$work/staffing.holo

echo '== one process'
alone staffing
[ "$(lines "$work/staffing/runs.csv")" -eq 601 ] || fail 'the study has not 600 runs'

echo '== GNU parallel'
mkdir "$work/parallel"
(
  cd "$work/parallel"
  seq 0 3 | parallel -j2 --retries 3 --joblog log "$program" experiment "$staffing" --slice '{}/4' --journal 'part.{}' --threads 1 2>&1 | grep done
  holarchy experiment merge "$staffing" part.* --json --csv runs.csv > report.json
)
same 'GNU parallel' "$work/staffing" "$work/parallel"

echo '== Slurm'
host=$(hostname -s)
mkdir -p /etc/slurm /var/spool/slurmctld /var/spool/slurmd /run/munge /var/log/munge /var/lib/munge
# Tasks are jobs of the batch script alone, so neither control groups nor accounting are needed. A job of `urgent` requeues those of `work`.
cat > /etc/slurm/slurm.conf << END
ClusterName=nightly
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
NodeName=$host CPUs=2 State=UNKNOWN
PartitionName=work Nodes=$host Default=YES PriorityTier=1
PartitionName=urgent Nodes=$host PriorityTier=10 PreemptMode=OFF
END
[ -s /etc/munge/munge.key ] || mungekey --create
chown -R munge: /etc/munge /run/munge /var/log/munge /var/lib/munge
binaries=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
workers=
end() {
  for worker in $workers; do kill "$worker" 2> /dev/null || true; done
  [ ! -f "$work/slurmctld.pid" ] || scancel --user=root --quiet || true
  [ ! -f "$work/postgres/postmaster.pid" ] || su postgres -c "$binaries/pg_ctl stop -s -m fast -D $work/postgres" || true
  for daemon in "$work/slurmd.pid" "$work/slurmctld.pid" /run/munge/munged.pid; do
    [ ! -f "$daemon" ] || kill "$(cat "$daemon")" || true
  done
}
trap end EXIT
trap 'exit 1' INT TERM
su munge -s /bin/sh -c 'munged --force'
slurmctld -c
slurmd
idle() { [ "$(sinfo -h -p work -o %t)" = idle ]; }
await 60 idle

slices=$work/slices
holarchy submit "$staffing" --slurm --slices 4 --into "$slices"
array=$(squeue -h -o %F | sort -n | head -1)
# When two slices have made some of their runs, an urgent job takes a core: one of them is stopped, and queued again.
restarts() { scontrol show job "${array}_$1" 2> /dev/null | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p' | head -1; }
under_way() { [ "$(lines "$slices/part.0")" -gt 10 ] && [ "$(lines "$slices/part.1")" -gt 10 ]; }
await 300 under_way
sbatch --partition=urgent --ntasks=1 --output=/dev/null --wrap 'sleep 4'
pre_empted() {
  for victim in 0 1; do
    [ "$(restarts "$victim")" != 1 ] || return 0
  done
  return 1
}
await 60 pre_empted
# What it said when it was stopped is in the log that both of its parts write.
stopped() { grep "slice $victim/4 stopped after" "$slices/slice.$victim.log"; }
await 60 stopped
[ "$(lines "$slices/part.$victim")" -lt 151 ] || fail 'the slice was done before it was pre-empted'
# Slurm begins a requeued job two minutes later at the earliest.
finished() { [ -s "$slices/report.json" ] && [ -z "$(squeue -h)" ]; }
await 900 finished
for part in 0 1 2 3; do
  # A head, and each of its runs once, also where it went on.
  [ "$(lines "$slices/part.$part")" -eq 151 ] || fail "slice $part has $(lines "$slices/part.$part") lines"
  [ ! -e "$slices/part.$part.lock" ] || fail "slice $part left its lock"
done
same 'Slurm, one slice pre-empted' "$work/staffing" "$slices"

echo '== PostgreSQL queue'
study tradeoff
alone tradeoff
chmod 711 "$work"
install -d -o postgres -m 700 "$work/postgres"
su postgres -c "$binaries/initdb -A trust -D $work/postgres" > /dev/null
su postgres -c "$binaries/pg_ctl start -s -w -D $work/postgres -l $work/postgres/log -o \"-c listen_addresses= -k $work/postgres\""
ask() { psql -h "$work/postgres" -U postgres -Atc "$1" 2> /dev/null || true; }
HOLARCHY_QUEUE="postgres://postgres@localhost/postgres?host=$work/postgres"
export HOLARCHY_QUEUE
mkdir "$work/led"
for worker in 1 2 3 4; do
  $program work auto --threads 1 2> "$work/led/worker.$worker" &
  workers="$workers $!"
done
holarchy experiment "$work/tradeoff.holo" --workers auto --json --csv "$work/led/runs.csv" > "$work/led/report.json" 2> "$work/led/log" &
leader=$!
# All four have made something and have more in hand: so the two that are killed lose what they had.
at_work() {
  [ "$(ask 'select count(distinct worker) from holarchy_runs.result')" = 4 ] &&
    [ "$(ask "select count(*) from holarchy_queue.job where name like 'runs-%' and state = 'active'")" = 4 ]
}
await 300 at_work
set -- $workers
kill -KILL "$1" "$2"
echo "workers $1 and $2 of$workers were killed after $(ask 'select count(*) from holarchy_runs.result') chunks"
workers="$3 $4"
returned() { [ "$(ask "select count(*) from holarchy_queue.job where name like 'runs-%' and retry_count > 0")" -ge 1 ]; }
await 60 returned
wait "$leader" || fail 'the leader did not end well'
same 'PostgreSQL queue, two of four workers killed' "$work/tradeoff" "$work/led"
end
trap - EXIT
rm -r "$work"
