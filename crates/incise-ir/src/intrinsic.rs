//! The functions whose names start with `llvm.`.

/// A call to an intrinsic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Intrinsic {
    /// What it does.
    pub kind: IntrinsicKind,
    /// Its full name, for messages.
    pub name: Box<str>,
}

macro_rules! intrinsics {
    ($($(#[$meta:meta])* $variant:ident = $name:literal,)*) => {
        /// What an intrinsic does. The names are those of the LLVM language reference, without `llvm.` and type
        /// suffixes.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum IntrinsicKind {
            $($(#[$meta])* $variant,)*
            /// One that we do not know: unsupported when it is reached.
            Unknown,
        }

        const NAMES: &[(&str, IntrinsicKind)] = &[$(($name, IntrinsicKind::$variant),)*];
    };
}

intrinsics! {
    MemoryCopy = "memcpy",
    MemoryCopyInline = "memcpy.inline",
    MemoryMove = "memmove",
    MemorySet = "memset",
    MemorySetInline = "memset.inline",
    SignedAddOverflow = "sadd.with.overflow",
    UnsignedAddOverflow = "uadd.with.overflow",
    SignedSubOverflow = "ssub.with.overflow",
    UnsignedSubOverflow = "usub.with.overflow",
    SignedMulOverflow = "smul.with.overflow",
    UnsignedMulOverflow = "umul.with.overflow",
    SignedAddSaturate = "sadd.sat",
    UnsignedAddSaturate = "uadd.sat",
    SignedSubSaturate = "ssub.sat",
    UnsignedSubSaturate = "usub.sat",
    SignedShlSaturate = "sshl.sat",
    UnsignedShlSaturate = "ushl.sat",
    PopulationCount = "ctpop",
    LeadingZeros = "ctlz",
    TrailingZeros = "cttz",
    ByteSwap = "bswap",
    BitReverse = "bitreverse",
    FunnelShiftLeft = "fshl",
    FunnelShiftRight = "fshr",
    Absolute = "abs",
    SignedMax = "smax",
    SignedMin = "smin",
    UnsignedMax = "umax",
    UnsignedMin = "umin",
    ThreeWaySigned = "scmp",
    ThreeWayUnsigned = "ucmp",
    VaStart = "va_start",
    VaEnd = "va_end",
    VaCopy = "va_copy",
    LifetimeStart = "lifetime.start",
    LifetimeEnd = "lifetime.end",
    InvariantStart = "invariant.start",
    InvariantEnd = "invariant.end",
    DebugDeclare = "dbg.declare",
    DebugValue = "dbg.value",
    DebugLabel = "dbg.label",
    DebugAssign = "dbg.assign",
    NoAliasScope = "experimental.noalias.scope.decl",
    Assume = "assume",
    Expect = "expect",
    ExpectWithProbability = "expect.with.probability",
    Trap = "trap",
    DebugTrap = "debugtrap",
    UbsanTrap = "ubsantrap",
    StackSave = "stacksave",
    StackRestore = "stackrestore",
    ObjectSize = "objectsize",
    IsConstant = "is.constant",
    ReturnAddress = "returnaddress",
    FrameAddress = "frameaddress",
    Prefetch = "prefetch",
    Annotation = "annotation",
    VarAnnotation = "var.annotation",
    PtrAnnotation = "ptr.annotation",
    LaunderInvariant = "launder.invariant.group",
    StripInvariant = "strip.invariant.group",
    SsaCopy = "ssa.copy",
    PtrMask = "ptrmask",
    ThreadLocalAddress = "threadlocal.address",
    FloatAbsolute = "fabs",
    SquareRoot = "sqrt",
    Floor = "floor",
    Ceil = "ceil",
    Truncate = "trunc",
    Rint = "rint",
    NearbyInt = "nearbyint",
    Round = "round",
    RoundEven = "roundeven",
    LRound = "lround",
    LLRound = "llround",
    LRint = "lrint",
    LLRint = "llrint",
    CopySign = "copysign",
    FusedMultiplyAdd = "fma",
    MultiplyAdd = "fmuladd",
    Sine = "sin",
    Cosine = "cos",
    Tangent = "tan",
    ArcSine = "asin",
    ArcCosine = "acos",
    ArcTangent = "atan",
    ArcTangent2 = "atan2",
    HyperbolicSine = "sinh",
    HyperbolicCosine = "cosh",
    HyperbolicTangent = "tanh",
    Exponential = "exp",
    Exponential2 = "exp2",
    Exponential10 = "exp10",
    Logarithm = "log",
    Logarithm2 = "log2",
    Logarithm10 = "log10",
    Power = "pow",
    MinNumber = "minnum",
    MaxNumber = "maxnum",
    Minimum = "minimum",
    Maximum = "maximum",
    IsFpClass = "is.fpclass",
    FloatToSignedSaturate = "fptosi.sat",
    FloatToUnsignedSaturate = "fptoui.sat",
    FlushRounds = "get.rounding",
    VectorReduceAdd = "vector.reduce.add",
    VectorReduceMul = "vector.reduce.mul",
    VectorReduceAnd = "vector.reduce.and",
    VectorReduceOr = "vector.reduce.or",
    VectorReduceXor = "vector.reduce.xor",
    VectorReduceSignedMax = "vector.reduce.smax",
    VectorReduceSignedMin = "vector.reduce.smin",
    VectorReduceUnsignedMax = "vector.reduce.umax",
    VectorReduceUnsignedMin = "vector.reduce.umin",
    VectorReduceFloatAdd = "vector.reduce.fadd",
    VectorReduceFloatMul = "vector.reduce.fmul",
    VectorInsert = "vector.insert",
    VectorExtract = "vector.extract",
    MaskedLoad = "masked.load",
    MaskedStore = "masked.store",
    LoadRelative = "load.relative",
    EhTypeId = "eh.typeid.for",
    SideEffect = "sideeffect",
    DoNothing = "donothing",
}

impl Intrinsic {
    /// The intrinsic of a function name that starts with `llvm.`; `None` for any other name.
    pub fn from_name(name: &str) -> Option<Self> {
        let rest = name.strip_prefix("llvm.")?;
        // The longest known name that the rest starts with, up to a dot: type suffixes follow.
        let kind = NAMES
            .iter()
            .filter(|(known, _)| {
                rest.strip_prefix(known).is_some_and(|tail| tail.is_empty() || tail.starts_with('.'))
            })
            .max_by_key(|(known, _)| known.len())
            .map_or(IntrinsicKind::Unknown, |&(_, kind)| kind);
        Some(Self { kind, name: name.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_wins() {
        let kind = |name| Intrinsic::from_name(name).map(|intrinsic| intrinsic.kind);
        assert_eq!(kind("llvm.fptosi.sat.i32.f64"), Some(IntrinsicKind::FloatToSignedSaturate));
        assert_eq!(kind("llvm.trunc.f64"), Some(IntrinsicKind::Truncate));
        assert_eq!(kind("llvm.memcpy.inline.p0.p0.i64"), Some(IntrinsicKind::MemoryCopyInline));
        assert_eq!(kind("llvm.expected"), Some(IntrinsicKind::Unknown));
        assert_eq!(kind("memcpy"), None);
    }
}
