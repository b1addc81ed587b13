// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {Book} from "./Book.sol";
import {Matching} from "./Matching.sol";
import {Ticks} from "./Ticks.sol";
import {NO_ACCOUNT, NO_LOTS, AccountId, Lots, Tick} from "./ValueTypes.sol";
import {
    IBook,
    OrderRequest,
    SignedBurn,
    SignedCancel,
    SignedCancelAll,
    SignedOrder,
    TimeInForce
} from "./interfaces/IBook.sol";

/// Accepts signed orders and cancels from any sender. It recovers every signer itself and trusts no
/// forwarder. A salt is spent at most once, so no order is ever placed twice.
abstract contract Signed is Matching {
    bytes32 private constant DOMAIN_TYPE = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant ORDER_TYPE = keccak256(
        "Order(address account,uint32 market,bool isBuy,uint256 limitPrice,uint256 amount,uint8 timeInForce,bool reduceOnly,uint8 triggerKind,uint256 triggerPrice,uint256 goodTil,uint8 maxFills,bytes32 replaces,uint256 replacesAmount,uint256 salt,uint256 deadline)"
    );
    bytes32 private constant CANCEL_TYPE =
        keccak256("Cancel(address account,uint32 market,bytes32[] orders,uint256 deadline)");
    bytes32 private constant CANCEL_ALL_TYPE =
        keccak256("CancelAll(address account,uint32 market,uint256 salt,uint256 deadline)");
    bytes32 private constant BURN_TYPE =
        keccak256("Burn(address account,uint256 word,uint256 mask,uint256 deadline)");

    /// Anyone who sees a signature can derive one with a greater s from it; those are rejected.
    uint256 private constant LOW_S_MAX =
        0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;

    uint8 private constant AT_OR_ABOVE = 1;
    uint8 private constant AT_OR_BELOW = 2;

    uint256 private constant ORDER_BYTES = 15 * 32;
    uint256 private constant MESSAGE_BYTES = 4 * 32; // of a CancelAll or a Burn

    bytes32 private immutable DOMAIN_NAME_HASH;

    constructor() {
        DOMAIN_NAME_HASH = keccak256(bytes(accounts.domainName()));
    }

    /* PLACING */

    /// @inheritdoc IBook
    function placeSigned(SignedOrder calldata order, bytes calldata signature)
        external
        nonReadReentrant
        returns (uint40)
    {
        bytes32 digest = _orderDigest(msg.data[4:4 + ORDER_BYTES]);
        AccountId account = _signatory(order.account, order.deadline, digest, signature);
        _spend(account, order.salt);
        if (order.triggerKind != 0) _requireTriggered(order);
        uint256 gone = order.replaces == 0 ? 0 : _replace(account, order);
        return _place(account, _requestOf(order), digest, gone);
    }

    /// @inheritdoc IBook
    function placeMany(SignedOrder[] calldata orders, bytes[] calldata signatures)
        external
        nonReadReentrant
        returns (uint40[] memory numbers)
    {
        require(
            orders.length == signatures.length, LengthsDiffer(orders.length, signatures.length)
        );
        numbers = new uint40[](orders.length);
        for (uint256 i = 0; i < orders.length; i++) {
            // Passes the members on undecoded, so that an out-of-range member fails only its own
            // item.
            bytes calldata members;
            assembly ("memory-safe") {
                members.offset := add(orders.offset, mul(i, ORDER_BYTES))
                members.length := ORDER_BYTES
            }
            (bool done, bytes32 result) = _placeItem(members, signatures[i]);
            if (done) numbers[i] = uint40(uint256(result));
            else emit Rejected(i, _orderDigest(members), bytes4(result));
        }
    }

    /// Calls placeSigned, so that an item that reverts leaves nothing behind. Returns the order's
    /// number or, in the first four bytes, the selector of the error.
    function _placeItem(bytes calldata members, bytes calldata signature)
        private
        returns (bool done, bytes32 result)
    {
        bytes4 selector = this.placeSigned.selector;
        // The compiler would decode the members, and then encode them again.
        assembly ("memory-safe") {
            let call_ := mload(0x40)
            mstore(call_, selector)
            let next := add(call_, 4)
            calldatacopy(next, members.offset, members.length)
            next := add(next, members.length)
            mstore(next, add(members.length, 0x20)) // where the signature begins
            mstore(add(next, 0x20), signature.length)
            calldatacopy(add(next, 0x40), signature.offset, signature.length)
            let size := sub(add(add(next, 0x40), signature.length), call_)
            mstore(0, 0)
            done := delegatecall(gas(), address(), call_, size, 0, 0x20)
            result := mload(0)
        }
    }

    /// The order in ticks and lots. Reverts when price or amount is not a whole number of them.
    function _requestOf(SignedOrder calldata order)
        private
        view
        returns (OrderRequest memory request)
    {
        Book.Units memory units = _listed(order.market).units;
        uint256 step = _priceStep(units);
        require(order.limitPrice % step == 0, PriceOffStep(order.limitPrice, step));
        require(
            order.amount % units.amountStep == 0, AmountOffStep(order.amount, units.amountStep)
        );
        uint256 tick = order.limitPrice / step;
        require(tick < Tick.unwrap(Ticks.NONE_ABOVE), TickOutOfRange(tick));
        uint256 lots = order.amount / units.amountStep;
        require(
            lots <= type(uint64).max,
            AmountTooLarge(order.amount, uint256(type(uint64).max) * units.amountStep)
        );
        require(
            order.timeInForce <= uint8(type(TimeInForce).max),
            TimeInForceUnknown(order.timeInForce)
        );
        require(order.goodTil <= type(uint40).max, GoodTilTooLarge(order.goodTil));
        request.market = order.market;
        request.buy = order.isBuy;
        request.tick = Tick.wrap(uint24(tick));
        request.lots = Lots.wrap(uint64(lots));
        request.timeInForce = TimeInForce(order.timeInForce);
        request.reduceOnly = order.reduceOnly;
        request.goodTil = uint40(order.goodTil);
        request.maxFills = order.maxFills;
    }

    function _requireTriggered(SignedOrder calldata order) private view {
        uint8 kind = order.triggerKind;
        require(kind == AT_OR_ABOVE || kind == AT_OR_BELOW, TriggerUnknown(kind));
        uint256 mark = _triggerMark(order.market);
        bool met = kind == AT_OR_ABOVE ? mark >= order.triggerPrice : mark <= order.triggerPrice;
        require(mark != 0 && met, TriggerNotMet(kind, order.triggerPrice, mark));
    }

    /// Cancels the order that a new one replaces. Reverts if it is gone, since the new one would
    /// then be a second order and not a replacement. Returns the lots that have left it since the
    /// new one was signed: filled twice, they would exceed what the signer ever offered.
    function _replace(AccountId account, SignedOrder calldata order) private returns (uint256) {
        uint40 number = _numberOf(order.market, order.replaces);
        uint256 left = Lots.unwrap(_cancelIfOwn(account, order.market, number));
        require(left != 0, OrderUnknown(order.market, number));
        uint256 signed = order.replacesAmount / _markets[order.market].units.amountStep;
        return signed > left ? signed - left : 0;
    }

    /* CANCELLING */

    /// @inheritdoc IBook
    function cancelSigned(SignedCancel calldata message, bytes calldata signature)
        external
        nonReadReentrant
        returns (uint256 cancelled)
    {
        bytes32 ids = keccak256(abi.encodePacked(message.orders));
        bytes32 digest = _digest(
            CANCEL_TYPE, abi.encode(message.account, message.market, ids, message.deadline)
        );
        AccountId account = _signatory(message.account, message.deadline, digest, signature);
        for (uint256 i = 0; i < message.orders.length; i++) {
            uint40 number = _numberOf(message.market, message.orders[i]);
            if (_cancelIfOwn(account, message.market, number) != NO_LOTS) cancelled += 1;
        }
    }

    /// @inheritdoc IBook
    function cancelAllSigned(
        SignedCancelAll calldata message,
        uint40[] calldata orders,
        bytes calldata signature
    ) external nonReadReentrant returns (uint256 cancelled) {
        bytes32 digest = _digest(CANCEL_ALL_TYPE, msg.data[4:4 + MESSAGE_BYTES]);
        AccountId account = _signatory(message.account, message.deadline, digest, signature);
        uint40 cut = _cuts[digest];
        if (cut == 0) {
            _spend(account, message.salt);
            cut = _listed(message.market).state.nextOrder;
            _cuts[digest] = cut;
        }
        for (uint256 i = 0; i < orders.length; i++) {
            if (orders[i] >= cut) continue;
            if (_cancelIfOwn(account, message.market, orders[i]) != NO_LOTS) {
                cancelled += 1;
            }
        }
    }

    /// The order number in an order's id; 0, which no order has, when the id is of another market.
    function _numberOf(uint32 market, bytes32 id) private view returns (uint40) {
        uint256 number = uint64(uint256(id));
        uint256 prefix = uint256(uint160(address(this))) << 32 | market;
        return uint256(id) >> 64 == prefix && number <= type(uint40).max ? uint40(number) : 0;
    }

    /* SALTS */

    /// @inheritdoc IBook
    function burn(uint256 word, uint256 mask) external nonReadReentrant {
        _burn(_trader(), word, mask);
    }

    /// @inheritdoc IBook
    function burnSigned(SignedBurn calldata message, bytes calldata signature)
        external
        nonReadReentrant
    {
        bytes32 digest = _digest(BURN_TYPE, msg.data[4:4 + MESSAGE_BYTES]);
        _burn(
            _signatory(message.account, message.deadline, digest, signature),
            message.word,
            message.mask
        );
    }

    /// @inheritdoc IBook
    function saltsOf(uint40 account, uint256 word) external view returns (uint256) {
        return _salts[AccountId.wrap(account)][word];
    }

    function _burn(AccountId account, uint256 word, uint256 mask) private {
        _salts[account][word] |= mask;
        emit SaltsBurnt(AccountId.unwrap(account), word, mask);
    }

    function _spend(AccountId account, uint256 salt) private {
        uint256 bit = 1 << (salt & 0xff);
        uint256 spent = _salts[account][salt >> 8];
        require(spent & bit == 0, SaltSpent(salt));
        _salts[account][salt >> 8] = spent | bit;
    }

    /* SIGNATURES */

    /// @inheritdoc IBook
    function domainSeparator() public view returns (bytes32) {
        return keccak256(
            abi.encode(DOMAIN_TYPE, DOMAIN_NAME_HASH, keccak256("1"), block.chainid, address(this))
        );
    }

    /// The EIP-712 digest of an order, straight from its members in the call data.
    function _orderDigest(bytes calldata members) private view returns (bytes32) {
        bytes32 typeHash = ORDER_TYPE;
        bytes32 message;
        // Hashed beyond the memory in use: `abi.encodePacked` would keep a copy of the members.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, typeHash)
            calldatacopy(add(free, 0x20), members.offset, members.length)
            message := keccak256(free, add(members.length, 0x20))
        }
        return _inDomain(message);
    }

    /// The EIP-712 digest of a message, given its type and the encoding of its members.
    function _digest(bytes32 typeHash, bytes memory members) private view returns (bytes32) {
        return _inDomain(keccak256(abi.encodePacked(typeHash, members)));
    }

    function _inDomain(bytes32 message) private view returns (bytes32 digest) {
        bytes32 domain = domainSeparator();
        // Assembly as above, for the gas of every signed order.
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, shl(240, 0x1901))
            mstore(add(free, 2), domain)
            mstore(add(free, 34), message)
            digest := keccak256(free, 66)
        }
    }

    /// The account that `digest` is signed for. Reverts when the deadline has passed, the signature
    /// is malformed or the signer may not trade for the account.
    function _signatory(
        address account,
        uint256 deadline,
        bytes32 digest,
        bytes calldata signature
    ) private view returns (AccountId number) {
        require(block.timestamp <= deadline, DeadlinePassed(deadline, block.timestamp));
        require(
            signature.length == 65 && uint256(bytes32(signature[32:64])) <= LOW_S_MAX,
            SignatureMalformed()
        );
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        number = AccountId.wrap(accounts.signerAccount(account, signer));
        require(number != NO_ACCOUNT, SignerUnfit(account, signer));
    }

    /// The price that triggers compare with, in quote raw for one whole unit of base; 0 when there
    /// is none.
    function _triggerMark(uint32 market) internal view virtual returns (uint256);
}
