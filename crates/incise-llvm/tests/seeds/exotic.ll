; Syntax that compilers rarely write together: every kind of constant, type, attribute and instruction that the reader knows.
source_filename = "exotic.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl something"

$shared = comdat any

%pair = type { i32, ptr }
%"quoted name" = type <{ i8, i32 }>
%opaque = type opaque
%0 = type { %pair, [2 x %"quoted name"] }

@numbers = global [3 x i32] [i32 1, i32 -2, i32 3], align 16
@text = private unnamed_addr constant [6 x i8] c"a\22\5C\0A\FF\00", align 1
@zero = internal global %0 zeroinitializer, section ".data.zero", align 8
@packed = global <{ i8, i32 }> <{ i8 1, i32 u0xFF }>
@floats = global { half, bfloat, float, double, x86_fp80, fp128 } { half 0xH3C00, bfloat 0xR3F80, float 0x3FB99999A0000000, double 1.5e+00, x86_fp80 0xK3FFFC000000000000000, fp128 0xL00000000000000003FFF000000000000 }
@vector = global <4 x i32> splat (i32 7)
@lanes = global <2 x i1> <i1 true, i1 false>
@second = global ptr getelementptr inbounds ([3 x i32], ptr @numbers, i64 0, i64 1)
@ranged = global ptr getelementptr inbounds nuw inrange(-8, 8) (i8, ptr @zero, i64 24)
@distance = global i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @numbers to i64))
@low = global i32 trunc (i64 sub (i64 ptrtoint (ptr @second to i64), i64 ptrtoint (ptr @numbers to i64)) to i32)
@address = global ptr inttoptr (i64 4096 to ptr)
@cast = global ptr addrspacecast (ptr bitcast (ptr @zero to ptr) to ptr)
@local_equivalent = global ptr dso_local_equivalent @callee
@without_check = global ptr no_cfi @callee
@labels = internal constant [2 x ptr] [ptr blockaddress(@control, %one), ptr blockaddress(@control, %two)]
@wide = global i256 123456789012345678901234567890123456789012345678901234567890
@big = global i128 -170141183460469231731687303715884105728
@shared = linkonce_odr global i32 5, comdat, align 4
@tentative = common global i64 0, align 8
@elsewhere = external dso_local global i32, align 4
@maybe = extern_weak global i32
@each = thread_local(localexec) global i32 1
@"spaces in name" = external global ptr
@llvm.used = appending global [1 x ptr] [ptr @numbers], section "llvm.metadata"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 200, ptr @late, ptr null }, { i32, ptr, ptr } { i32 100, ptr @early, ptr null }]
@another = alias i32, ptr @numbers
@inside = alias i32, getelementptr inbounds ([3 x i32], ptr @numbers, i64 0, i64 2)
@again = alias i32, ptr @another
@chosen = ifunc void (), ptr @resolver

declare noundef i32 @callee(ptr noalias nocapture noundef readonly align 8 dereferenceable(16), ...) local_unnamed_addr #0
declare void @stop(i32) #1
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg)
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.assume(i1)
declare i32 @__gxx_personality_v0(...)
declare token @llvm.experimental.something()

define internal void @late() {
  ret void
}

define internal void @early() {
  ret void
}

define ptr @resolver() {
  ret ptr @late
}

define i32 @arithmetic(i32 %a, i32 signext %b, i64 %c, float %f, double %d) unnamed_addr #0 {
entry:
  %0 = add nuw nsw i32 %a, %b
  %1 = sub i32 %0, -3
  %2 = mul nsw i32 %1, 5
  %3 = sdiv exact i32 %2, 4
  %4 = udiv i32 %3, 3
  %5 = srem i32 %4, 7
  %6 = urem i32 %5, 9
  %7 = shl nuw i32 %6, 2
  %8 = lshr exact i32 %7, 1
  %9 = ashr i32 %8, 1
  %10 = and i32 %9, 255
  %11 = or disjoint i32 %10, 256
  %12 = xor i32 %11, -1
  %wide = zext nneg i32 %12 to i64
  %signed = sext i32 %12 to i64
  %narrow = trunc nuw nsw i64 %wide to i16
  %cmp = icmp samesign ult i64 %wide, %signed
  %sum = fadd fast float %f, 1.0
  %neg = fneg nnan ninf float %sum
  %ext = fpext float %neg to double
  %cmp2 = fcmp nnan oge double %ext, %d
  %sel = select i1 %cmp2, double %ext, double 0x7FF8000000000000
  %int = fptosi double %sel to i32
  %uint = fptoui double %sel to i32
  %fl = sitofp i32 %int to float
  %fl2 = uitofp i32 %uint to float
  %tr = fptrunc double %d to float
  %fro = freeze i32 %int
  %bits = bitcast float %tr to i32
  ret i32 %fro
}

define void @memory(ptr %p, ptr byval(%pair) align 8 %copied, ptr sret(%pair) %result, i64 %n) #0 {
  %1 = alloca %pair, align 8
  %2 = alloca i32, i64 %n, align 4
  %3 = load volatile i32, ptr %p, align 4, !tbaa !9
  store volatile i32 %3, ptr %2
  %4 = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %4, ptr %p syncscope("singlethread") release, align 4
  %5 = atomicrmw volatile add ptr %p, i32 1 seq_cst, align 4
  %6 = atomicrmw uinc_wrap ptr %p, i32 10 monotonic
  %7 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4
  %8 = extractvalue { i32, i1 } %7, 1
  %9 = insertvalue { i32, i1 } %7, i1 false, 1
  fence syncscope("agent") seq_cst
  %10 = getelementptr inbounds nuw %0, ptr @zero, i64 0, i32 1, i64 %n, i32 1
  %11 = getelementptr [3 x i32], ptr @numbers, i32 0, i32 2
  %12 = va_arg ptr %p, double
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 8 %copied, i64 16, i1 false)
  call void @memory(ptr %p, ptr noundef byval(%pair) align 8 %1, ptr sret(%pair) %1, i64 %n)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  ret void
}

define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b, i32 %x, <4 x ptr> %pointers, <4 x i64> %offsets) {
  %1 = add <4 x i32> %a, <i32 1, i32 2, i32 3, i32 4>
  %2 = extractelement <4 x i32> %1, i32 0
  %3 = insertelement <4 x i32> poison, i32 %x, i64 0
  %4 = shufflevector <4 x i32> %3, <4 x i32> poison, <4 x i32> zeroinitializer
  %5 = shufflevector <4 x i32> %4, <4 x i32> %b, <2 x i32> <i32 5, i32 poison>
  %6 = icmp sgt <4 x i32> %4, %b
  %7 = select <4 x i1> %6, <4 x i32> %4, <4 x i32> %b
  %8 = getelementptr i32, <4 x ptr> %pointers, <4 x i64> %offsets
  %9 = getelementptr [8 x i32], ptr @numbers, i64 0, <4 x i64> %offsets
  %10 = bitcast <4 x i32> %7 to i128
  ret <4 x i32> %7
}

define i32 @control(i32 %x, ptr %target) personality ptr @__gxx_personality_v0 {
entry:
  switch i32 %x, label %default [
    i32 0, label %one
    i32 -1, label %two
  ]

one:                                              ; preds = %entry, %default
  %merged = phi i32 [ 1, %entry ], [ %later, %default ]
  %called = call noundef i32 (ptr, ...) @callee(ptr noundef nonnull @text, i32 %merged, double 1.0) #2
  %value = musttail call fastcc i32 %target(i32 %called)
  ret i32 %value

two:
  call void asm sideeffect "", "~{memory}"() #2, !srcloc !10
  %asm = call i32 asm "incl $0", "=r,0"(i32 %x)
  %ok = invoke i32 @control(i32 %x, ptr null)
          to label %default unwind label %caught

default:
  %later = phi i32 [ %x, %entry ], [ %ok, %two ]
  indirectbr ptr %target, [label %one, label %"quoted label"]

"quoted label":
  br i1 true, label %loop, label %out

loop:
  %i = phi i64 [ 0, %"quoted label" ], [ %next, %loop ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 10
  br i1 %done, label %out, label %loop, !llvm.loop !11

caught:
  %pad = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  resume { ptr, i32 } %pad

out:
  call void @stop(i32 1)
  unreachable
}

define void @unknown_things(<vscale x 4 x i32> %s, i256 %w, ptr addrspace(256) %segment) {
entry:
  %a = frobnicate i32 1, [ 2, 3 ], !dbg !7
  %b = add <vscale x 4 x i32> %s, %s
  %c = add i256 %w, 1
  %d = load i32, ptr addrspace(256) %segment
  %e = add i32 %a, %d
  %f = add brandnewflag i32 %e, 1
  %t = call token @llvm.experimental.something()
  callbr void asm "", "!i"() to label %next [label %other]

next:
  cleanupret from %t unwind to caller

other:
  hyperjump label %next
}

define i32 @described(i32 %0) !dbg !4 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
    #dbg_declare(ptr %2, !8, !DIExpression(), !7)
    #dbg_value(i32 %0, !12, !DIExpression(DW_OP_plus_uconst, 1), !DILocation(line: 3, scope: !4))
    #dbg_label(!13, !7)
  %3 = load i32, ptr %2, align 4, !dbg !7
  ret i32 %3, !dbg !DILocation(line: 5, column: 2, scope: !4, inlinedAt: !7)

  uselistorder i32 %0, { 1, 0 }
}

attributes #0 = { nounwind "frame-pointer"="all" memory(argmem: read) }
attributes #1 = { noreturn cold }
attributes #2 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "exotic", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "exotic.c", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "described", scope: !1, file: !1, line: 2, type: !5, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{!14, !14}
!7 = !DILocation(line: 4, column: 9, scope: !15)
!8 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 2, type: !16)
!9 = !{!"tbaa"}
!10 = !{i64 12}
!11 = distinct !{!11}
!12 = !DILocalVariable(name: "y", scope: !4, file: !1, line: 3, type: !17)
!13 = !DILabel(scope: !4, name: "here", file: !1, line: 3)
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = distinct !DILexicalBlock(scope: !4, line: 3, column: 1)
!16 = !DIDerivedType(tag: DW_TAG_typedef, name: "number", baseType: !14)
!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "node", size: 192, elements: !18)
!18 = !{!19, !20, !24}
!19 = !DIDerivedType(tag: DW_TAG_member, name: "next", baseType: !21, size: 64)
!20 = !DIDerivedType(tag: DW_TAG_member, name: "flag", baseType: !14, size: 3, offset: 64, flags: DIFlagBitField, extraData: i64 64)
!21 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!22 = !DICompositeType(tag: DW_TAG_array_type, baseType: !14, size: 64, elements: !23)
!23 = !{!25, !26}
!24 = !DIDerivedType(tag: DW_TAG_member, name: "grid", baseType: !22, size: 64, offset: 96)
!25 = !DISubrange(count: 2)
!26 = !DISubrange(count: -1)
!named = !{!0}

^0 = module: (path: "exotic.o", hash: (0, 0, 0, 0, 0))
^1 = blockcount: 12

uselistorder_bb @control, %one, { 1, 0 }
